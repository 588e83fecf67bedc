// libcurl, and its functions with variable arguments in forms that Swift can call.
#ifndef CROOST_CURL_H
#define CROOST_CURL_H

#include <curl/curl.h>
#include <stdint.h>
#include <sys/socket.h>

// Receives bytes of a head or of a body. Returns their number, or less to end the request.
typedef size_t (*croost_curl_bytes)(char *bytes, size_t size, size_t count, void *context);

// Decides whether to connect to an address. Returns 0 to allow it.
typedef int (*croost_curl_address)(const struct sockaddr *address, void *context);

// The settings that are the same for all requests of a process.
struct croost_curl_settings {
    // The path of a file of certificates that are trusted in addition to the system's own, or NULL.
    const char *additional_roots;
    long redirects;
    // The longest time for the lookup of the name, the connection and the TLS handshake, in seconds.
    long connect_timeout;
    // The size of the buffer for received bytes.
    long buffer;
};

// Watches the sockets of all requests of a CURLM. `on_socket` is called when libcurl waits for other sockets, `on_time` when
// it waits for another time, `on_open` after a socket was opened, and `on_close` before a socket is closed.
struct croost_curl_watcher {
    curl_socket_callback on_socket;
    curl_multi_timer_callback on_time;
    void (*on_open)(curl_socket_t socket, void *context);
    void (*on_close)(curl_socket_t socket, void *context);
    // Passed to the callbacks.
    void *context;
};

struct croost_curl_callbacks {
    croost_curl_bytes head;
    croost_curl_bytes body;
    croost_curl_address address;
    // Called each time that libcurl has read something. Returns 0 to continue.
    int (*progress)(void *context);
    // Must stay valid until all connections are closed.
    const struct croost_curl_watcher *watcher;
    // Passed to the callbacks.
    void *context;
};

// The protocol versions that a request offers.
enum croost_curl_version { CROOST_CURL_HTTP1, CROOST_CURL_HTTP2_TOO };

// Sets all options of a new or reset request except its URL and its method. `error` has CURL_ERROR_SIZE bytes.
// `callbacks` and `headers` must stay valid until the request has ended.
CURLcode croost_curl_prepare(CURL *curl, const struct croost_curl_settings *settings,
    const struct croost_curl_callbacks *callbacks, const struct curl_slist *headers, char *error,
    enum croost_curl_version version);

// Sets the URL. `is_fresh` is 1 if the request needs a new connection, because it must not be sent twice.
CURLcode croost_curl_set_url(CURL *curl, const char *url, int is_fresh);

// Sets the method, and the body unless it is NULL; the body is copied.
CURLcode croost_curl_set_method(CURL *curl, const char *method, const void *body, int64_t size);

// Has the redirect after a 303 answer be followed with GET.
void croost_curl_continue_with_get(CURL *curl);

// The URL of the current request, after redirects. Valid until the next call for this request.
const char *croost_curl_url(CURL *curl);

// The status of the last answer; 0 before there is one.
long croost_curl_status(CURL *curl);

// The error number of the last failed system call, and the code of a failed check of a certificate; 0 for none.
long croost_curl_errno(CURL *curl);
long croost_curl_verification(CURL *curl);

// Limits the kernel's receive buffer of a socket, if the shortest round trip took less than `nearby` microseconds. A server
// that answers slowly does not make the shortest one longer.
void croost_curl_limit_receive_buffer(curl_socket_t socket, uint32_t nearby, int bytes);

// The processor time of this thread, in nanoseconds.
int64_t croost_curl_processor_time(void);

// Begins to watch. `watcher` must stay valid until `multi` is cleaned up.
CURLMcode croost_curl_watch(CURLM *multi, const struct croost_curl_watcher *watcher);

// Whether a socket is that of a request's connection. It goes by the addresses: libcurl names the socket only after the
// request.
int croost_curl_uses(CURL *curl, curl_socket_t socket);

// Ends the connection of a socket at once. The descriptor is then that of a connection whose other end is closed, so libcurl
// uses it for no request.
void croost_curl_disconnect(curl_socket_t socket);

// Whether the request's connection is HTTP/2, by the choice of the TLS handshake.
int croost_curl_is_http2(CURL *curl);

// Whether a TLS connection has received data that libcurl has not read, and libcurl has read some since the last call for
// this connection. libcurl then waits for the socket, which may have nothing more.
int croost_curl_has_unread(CURL *curl);

// Begins to watch the TLS connection of a request; `croost_curl_leave_tls` ends that. NULL if there is no such connection, or
// if libcurl uses another library than OpenSSL.
struct croost_curl_tls *croost_curl_watch_tls(CURL *curl);

// Whether the connection is open, and has received data that libcurl has not read.
int croost_curl_tls_has_unread(const struct croost_curl_tls *tls);

// Ends the watch. Returns 1 if the server has announced the end of the connection by an alert. Otherwise it may have been
// cut; libcurl accepts both.
int croost_curl_leave_tls(struct croost_curl_tls *tls);

#endif
