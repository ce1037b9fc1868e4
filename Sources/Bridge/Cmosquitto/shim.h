#include <dlfcn.h>
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <stddef.h>

/// OpenSSL's result (X509_V_ERR_…) of checking the broker's certificate; -1 if there is none. libmosquitto has loaded OpenSSL;
/// its own headers are not needed for this.
static inline long mosquitto_verify_result(struct mosquitto *client) {
  long (*result)(const void *) = (long (*)(const void *))dlsym(NULL, "SSL_get_verify_result");
  void *connection = mosquitto_ssl_get(client);
  return result != NULL && connection != NULL ? result(connection) : -1;
}
