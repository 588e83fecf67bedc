// The TLS connections of libcurl: OpenSSL would read little at once, and libcurl ignores a missing end.
#include "tls.h"

#include "CRoostCurl.h"

#include <openssl/ssl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// A TLS connection. Both the connection and a request refer to it, and the last one frees it; both are on one thread.
struct croost_curl_tls {
    int references;
    int is_announced;
    // NULL once the connection is closed.
    SSL *ssl;
};

// The data of each connection: its `croost_curl_tls`, the number of its records, how many of them `croost_curl_has_unread` has
// taken into account, and the number of its handshake messages. The numbers are stored as pointers.
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int tls_index = -1;
static int records_index = -1;
static int counted_index = -1;
static int messages_index = -1;

// The most handshake messages of a connection, with those after the handshake: session tickets and changes of keys. A
// server could send them without end, and one call of OpenSSL reads all that are there.
static const size_t most_messages = 1000;

static int release(struct croost_curl_tls *tls)
{
    int is_announced = tls->is_announced;
    if (--tls->references == 0)
        free(tls);
    return is_announced;
}

static void connection_was_freed(void *ssl, void *tls, CRYPTO_EX_DATA *data, int index, long number, void *context)
{
    (void)ssl, (void)data, (void)index, (void)number, (void)context;
    if (tls == NULL)
        return;
    ((struct croost_curl_tls *)tls)->ssl = NULL;
    release(tls);
}

static void make_indexes(void)
{
    tls_index = SSL_get_ex_new_index(0, NULL, NULL, NULL, connection_was_freed);
    records_index = SSL_get_ex_new_index(0, NULL, NULL, NULL, NULL);
    counted_index = SSL_get_ex_new_index(0, NULL, NULL, NULL, NULL);
    messages_index = SSL_get_ex_new_index(0, NULL, NULL, NULL, NULL);
}

static size_t count(SSL *ssl, int index)
{
    char *number = (char *)SSL_get_ex_data(ssl, index) + 1;
    SSL_set_ex_data(ssl, index, number);
    return (size_t)number;
}

static void note_record(int is_sent, int version, int type, const void *bytes, size_t size, SSL *ssl, void *context)
{
    (void)version, (void)bytes, (void)size, (void)context;
    if (!is_sent && type == SSL3_RT_HEADER)
        count(ssl, records_index);
    // OpenSSL then reads nothing more. Without the alert, that is no announced end.
    if (!is_sent && type == SSL3_RT_HANDSHAKE && count(ssl, messages_index) > most_messages)
        SSL_set_shutdown(ssl, SSL_RECEIVED_SHUTDOWN);
}

// OpenSSL reads each record by two system calls if it does not read ahead. A buffer of two records stays in the
// processor's cache. With hardware for AES, the cipher with the short key is the fastest of the three.
CURLcode croost_curl_tune_tls(CURL *curl, void *context, void *unused)
{
    (void)curl, (void)unused;
    pthread_once(&once, make_indexes);
    SSL_CTX_set_read_ahead(context, 1);
    SSL_CTX_set_default_read_buffer_len(context, 34 << 10);
    SSL_CTX_set_msg_callback(context, note_record);
    SSL_CTX_set_ciphersuites(
        context, "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256");
    return CURLE_OK;
}

static SSL *ssl_of(CURL *curl)
{
    struct curl_tlssessioninfo *info = NULL;
    if (curl_easy_getinfo(curl, CURLINFO_TLS_SSL_PTR, &info) != CURLE_OK || info == NULL
        || info->backend != CURLSSLBACKEND_OPENSSL)
        return NULL;
    return info->internals;
}

int croost_curl_is_http2(CURL *curl)
{
    SSL *ssl = ssl_of(curl);
    const unsigned char *name = NULL;
    unsigned int length = 0;
    if (ssl != NULL)
        SSL_get0_alpn_selected(ssl, &name, &length);
    return length == 2 && memcmp(name, "h2", 2) == 0;
}

int croost_curl_has_unread(CURL *curl)
{
    SSL *ssl = ssl_of(curl);
    if (ssl == NULL || records_index < 0)
        return 0;
    void *records = SSL_get_ex_data(ssl, records_index);
    if (records == SSL_get_ex_data(ssl, counted_index))
        return 0;
    SSL_set_ex_data(ssl, counted_index, records);
    return SSL_has_pending(ssl);
}

static void note_alert(const SSL *ssl, int where, int value)
{
    struct croost_curl_tls *tls = SSL_get_ex_data(ssl, tls_index);
    if (tls != NULL && where == SSL_CB_READ_ALERT && (value & 0xff) == SSL_AD_CLOSE_NOTIFY)
        tls->is_announced = 1;
}

struct croost_curl_tls *croost_curl_watch_tls(CURL *curl)
{
    SSL *ssl = ssl_of(curl);
    if (ssl == NULL)
        return NULL;
    pthread_once(&once, make_indexes);
    struct croost_curl_tls *tls = SSL_get_ex_data(ssl, tls_index);
    if (tls != NULL) {
        // An earlier request used the connection.
        tls->references++;
        return tls;
    }
    tls = calloc(1, sizeof *tls);
    if (tls == NULL || SSL_set_ex_data(ssl, tls_index, tls) != 1) {
        free(tls);
        return NULL;
    }
    tls->references = 2;
    tls->ssl = ssl;
    tls->is_announced = (SSL_get_shutdown(ssl) & SSL_RECEIVED_SHUTDOWN) != 0;
    SSL_set_info_callback(ssl, note_alert);
    return tls;
}

int croost_curl_tls_has_unread(const struct croost_curl_tls *tls)
{
    return tls->ssl != NULL && SSL_has_pending(tls->ssl);
}

int croost_curl_leave_tls(struct croost_curl_tls *tls) { return release(tls); }
