// SOCK_CLOEXEC.
#define _GNU_SOURCE
#include "CRoostCurl.h"
#include "tls.h"

#include <arpa/inet.h>
#include <fcntl.h>
// TCP_INFO with the minimum round-trip time, which glibc's <netinet/tcp.h> does not have.
#include <linux/tcp.h>
#include <netinet/in.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// The directory of trusted certificates, for a libcurl that was built without one.
static const char usual_roots[] = "/etc/ssl/certs";

static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address)
{
    const struct croost_curl_callbacks *callbacks = context;
    (void)purpose;
    if (callbacks->address(&address->addr, callbacks->context) != 0)
        return CURL_SOCKET_BAD;
    curl_socket_t descriptor = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    if (descriptor >= 0)
        callbacks->watcher->on_open(descriptor, callbacks->watcher->context);
    return descriptor;
}

static int close_socket(void *watcher, curl_socket_t descriptor)
{
    const struct croost_curl_watcher *own = watcher;
    own->on_close(descriptor, own->context);
    return close(descriptor);
}

static int progress(
    void *context, curl_off_t expected, curl_off_t received, curl_off_t to_send, curl_off_t sent)
{
    const struct croost_curl_callbacks *callbacks = context;
    (void)expected, (void)received, (void)to_send, (void)sent;
    return callbacks->progress(callbacks->context);
}

static CURLcode trust(CURL *curl, const char *additional_roots)
{
    curl_easy_setopt(curl, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    if (additional_roots == NULL)
        return CURLE_OK;
    // The file takes the place of the system's bundle, so the system's directory has to be named.
    const char *directory = usual_roots;
    const curl_version_info_data *info = curl_version_info(CURLVERSION_NOW);
    if (info->age >= CURLVERSION_SEVENTH && info->capath != NULL)
        directory = info->capath;
    CURLcode code = curl_easy_setopt(curl, CURLOPT_CAPATH, directory);
    return code != CURLE_OK ? code : curl_easy_setopt(curl, CURLOPT_CAINFO, additional_roots);
}

CURLMcode croost_curl_watch(CURLM *multi, const struct croost_curl_watcher *watcher)
{
    // Of a paused stream among others libcurl would keep up to 32 MiB in memory.
    curl_multi_setopt(multi, CURLMOPT_PIPELINING, (long)CURLPIPE_NOTHING);
    curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, watcher->context);
    curl_multi_setopt(multi, CURLMOPT_TIMERDATA, watcher->context);
    CURLMcode code = curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, watcher->on_socket);
    return code != CURLM_OK ? code : curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, watcher->on_time);
}

void croost_curl_disconnect(curl_socket_t socket)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        shutdown(socket, SHUT_RDWR);
        return;
    }
    dup3(ends[0], socket, O_CLOEXEC);
    close(ends[0]);
    close(ends[1]);
}

static int has_address(const struct sockaddr_storage *address, const char *text, long port)
{
    char own[INET6_ADDRSTRLEN] = "";
    const struct sockaddr_in *four = (const void *)address;
    const struct sockaddr_in6 *six = (const void *)address;
    int is_six = address->ss_family == AF_INET6;
    if (!is_six && address->ss_family != AF_INET)
        return 0;
    inet_ntop(address->ss_family, is_six ? (const void *)&six->sin6_addr : (const void *)&four->sin_addr, own, sizeof own);
    return strcmp(own, text) == 0 && ntohs(is_six ? six->sin6_port : four->sin_port) == port;
}

int croost_curl_uses(CURL *curl, curl_socket_t socket)
{
    char *local = NULL, *peer = NULL;
    long local_port = 0, peer_port = 0;
    if (curl_easy_getinfo(curl, CURLINFO_LOCAL_IP, &local) != CURLE_OK
        || curl_easy_getinfo(curl, CURLINFO_LOCAL_PORT, &local_port) != CURLE_OK
        || curl_easy_getinfo(curl, CURLINFO_PRIMARY_IP, &peer) != CURLE_OK
        || curl_easy_getinfo(curl, CURLINFO_PRIMARY_PORT, &peer_port) != CURLE_OK || local == NULL || peer == NULL)
        return 0;
    struct sockaddr_storage address = {0};
    socklen_t size = sizeof address;
    if (getsockname(socket, (struct sockaddr *)&address, &size) != 0 || !has_address(&address, local, local_port))
        return 0;
    size = sizeof address;
    return getpeername(socket, (struct sockaddr *)&address, &size) == 0 && has_address(&address, peer, peer_port);
}

static void allow_only_http(CURL *curl)
{
#if LIBCURL_VERSION_NUM >= 0x075500
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
#else
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
    curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

CURLcode croost_curl_prepare(CURL *curl, const struct croost_curl_settings *settings,
    const struct croost_curl_callbacks *callbacks, const struct curl_slist *headers, char *error,
    enum croost_curl_version version)
{
    curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, error);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
#if LIBCURL_VERSION_NUM >= 0x075700
    // Otherwise a canceled request would wait for an unresponsive name server.
    curl_easy_setopt(curl, CURLOPT_QUICK_EXIT, 1L);
#endif
    allow_only_http(curl);
    // The environment names proxies for programs of its user.
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    curl_easy_setopt(curl, CURLOPT_HTTP_VERSION,
        version == CROOST_CURL_HTTP2_TOO ? (long)CURL_HTTP_VERSION_2TLS : (long)CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(curl, CURLOPT_MAXREDIRS, settings->redirects);
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, settings->connect_timeout);
    curl_easy_setopt(curl, CURLOPT_BUFFERSIZE, settings->buffer);
    curl_easy_setopt(curl, CURLOPT_PATH_AS_IS, 1L);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, callbacks->head);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, callbacks->context);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, callbacks->body);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, callbacks->context);
    curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, (void *)callbacks);
    curl_easy_setopt(curl, CURLOPT_CLOSESOCKETFUNCTION, close_socket);
    curl_easy_setopt(curl, CURLOPT_CLOSESOCKETDATA, (void *)callbacks->watcher);
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, progress);
    curl_easy_setopt(curl, CURLOPT_XFERINFODATA, (void *)callbacks);
    // Without OpenSSL there is no such option, and each record is read by itself.
    curl_easy_setopt(curl, CURLOPT_SSL_CTX_FUNCTION, croost_curl_tune_tls);
    return trust(curl, settings->additional_roots);
}

CURLcode croost_curl_set_url(CURL *curl, const char *url, int is_fresh)
{
    curl_easy_setopt(curl, CURLOPT_FRESH_CONNECT, (long)is_fresh);
    return curl_easy_setopt(curl, CURLOPT_URL, url);
}

CURLcode croost_curl_set_method(CURL *curl, const char *method, const void *body, int64_t size)
{
    if (strcmp(method, "HEAD") == 0)
        return curl_easy_setopt(curl, CURLOPT_NOBODY, 1L);
    int is_post = strcmp(method, "POST") == 0;
    if (body != NULL || is_post) {
        curl_easy_setopt(curl, CURLOPT_POST, 1L);
        curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)size);
        CURLcode code = curl_easy_setopt(curl, CURLOPT_COPYPOSTFIELDS, body != NULL ? body : "");
        if (code != CURLE_OK)
            return code;
    }
    if (is_post || (body == NULL && strcmp(method, "GET") == 0))
        return CURLE_OK;
    // Only POST becomes GET at a 301 or 302 answer.
    curl_easy_setopt(curl, CURLOPT_POSTREDIR, (long)(CURL_REDIR_POST_301 | CURL_REDIR_POST_302));
    return curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, method);
}

void croost_curl_continue_with_get(CURL *curl) { curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, NULL); }

const char *croost_curl_url(CURL *curl)
{
    char *url = NULL;
    return curl_easy_getinfo(curl, CURLINFO_EFFECTIVE_URL, &url) == CURLE_OK && url != NULL ? url : "";
}

long croost_curl_status(CURL *curl)
{
    long status = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

long croost_curl_errno(CURL *curl)
{
    long code = 0;
    curl_easy_getinfo(curl, CURLINFO_OS_ERRNO, &code);
    return code;
}

long croost_curl_verification(CURL *curl)
{
    long code = 0;
    curl_easy_getinfo(curl, CURLINFO_SSL_VERIFYRESULT, &code);
    return code;
}

int64_t croost_curl_processor_time(void)
{
    struct timespec time = {0};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

void croost_curl_limit_receive_buffer(curl_socket_t socket, uint32_t nearby, int bytes)
{
    struct tcp_info info = {0};
    socklen_t size = sizeof info;
    if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 && info.tcpi_min_rtt < nearby)
        setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
}
