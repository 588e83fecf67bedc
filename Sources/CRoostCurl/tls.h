#ifndef CROOST_TLS_H
#define CROOST_TLS_H

#include <curl/curl.h>

// Prepares a connection, as an option of libcurl: the context is an SSL_CTX. The work of `croost_curl_has_unread` depends
// on it.
CURLcode croost_curl_tune_tls(CURL *curl, void *context, void *unused);

#endif
