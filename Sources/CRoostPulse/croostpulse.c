#include "croostpulse.h"

#include <dlfcn.h>
#include <pthread.h>

// libpulse's declarations (pulse/simple.h, sample.h, channelmap.h, def.h). They are not included, so that nobody
// needs the library's headers to build an app.
enum { stream_playback = 1, sample_float32_little = 5, sample_float32_big = 6 };
enum { channels_of_wave = 3, most_channels = 32 };

struct sample_spec {
    int format;
    uint32_t rate;
    uint8_t channels;
};

struct channel_map {
    uint8_t channels;
    int positions[most_channels];
};

struct buffer_attributes {
    uint32_t maxlength, tlength, prebuf, minreq, fragsize;
};

static struct {
    void *(*open)(
        const char *server, const char *name, int direction, const char *device, const char *stream,
        const struct sample_spec *spec, const struct channel_map *map, const struct buffer_attributes *attributes,
        int *error);
    int (*write)(void *stream, const void *data, size_t bytes, int *error);
    int (*drain)(void *stream, int *error);
    int (*flush)(void *stream, int *error);
    void (*close)(void *stream);
    struct channel_map *(*assign)(struct channel_map *map, unsigned channels, int order);
    const char *(*describe)(int error);
    const char *missing;
} pulse;

static void *find(void *library, const char *name) {
    void *symbol = dlsym(library, name);
    if (!symbol && !pulse.missing) pulse.missing = "libpulse-simple.so.0 lacks a function";
    return symbol;
}

static void load(void) {
    void *library = dlopen("libpulse-simple.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        pulse.missing = "libpulse-simple.so.0 is not installed (Debian's package is libpulse0)";
        return;
    }
    *(void **)&pulse.open = find(library, "pa_simple_new");
    *(void **)&pulse.write = find(library, "pa_simple_write");
    *(void **)&pulse.drain = find(library, "pa_simple_drain");
    *(void **)&pulse.flush = find(library, "pa_simple_flush");
    *(void **)&pulse.close = find(library, "pa_simple_free");
    // Functions of libpulse.so.0, which libpulse-simple.so.0 loads.
    *(void **)&pulse.assign = find(library, "pa_channel_map_init_extend");
    *(void **)&pulse.describe = find(library, "pa_strerror");
}

static const char *reason_of(int error) {
    const char *reason = pulse.describe(error);
    return reason ? reason : "unknown error";
}

struct croost_pulse *croost_pulse_open(
    const char *server, const char *app, uint32_t rate, uint8_t channels, uint32_t buffer, const char **reason) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    *reason = pulse.missing;
    if (pulse.missing) return NULL;
    uint16_t one = 1;
    struct sample_spec spec = {*(uint8_t *)&one ? sample_float32_little : sample_float32_big, rate, channels};
    uint32_t standard = UINT32_MAX;
    uint32_t frames = (uint64_t)rate * buffer / 1000;
    uint32_t bytes = (frames ? frames : 1) * channels * sizeof(float);
    // The server begins with the first frame, and does not wait for a full buffer.
    uint32_t frame = channels * sizeof(float);
    struct buffer_attributes attributes = {standard, bytes, frame, standard, standard};
    struct channel_map map;
    const struct channel_map *order = pulse.assign(&map, channels, channels_of_wave);
    int error = 0;
    void *stream = pulse.open(server, app, stream_playback, NULL, app, &spec, order, &attributes, &error);
    if (!stream) *reason = reason_of(error);
    return stream;
}

const char *croost_pulse_write(struct croost_pulse *stream, const float *samples, size_t count) {
    int error = 0;
    return pulse.write(stream, samples, count * sizeof(float), &error) < 0 ? reason_of(error) : NULL;
}

const char *croost_pulse_drain(struct croost_pulse *stream) {
    int error = 0;
    return pulse.drain(stream, &error) < 0 ? reason_of(error) : NULL;
}

void croost_pulse_flush(struct croost_pulse *stream) { pulse.flush(stream, NULL); }

void croost_pulse_close(struct croost_pulse *stream) { pulse.close(stream); }
