#ifndef CROOSTPULSE_H
#define CROOSTPULSE_H

#include <stddef.h>
#include <stdint.h>

/// A stream of sound to a server that speaks PulseAudio's protocol: PulseAudio, or PipeWire with pipewire-pulse.
///
/// The library is loaded at the first stream, so that apps also run, silently, on a machine that does not have it.
/// A stream is used by one thread at a time. All calls may wait for the server, and for a server that hangs they wait
/// without end.
struct croost_pulse;

/// Opens a stream of 32-bit floats, with the channels in the order of WAV files. `server` is an address as in
/// `PULSE_SERVER`; without one, libpulse would start a server. `buffer` is how much sound the server keeps, in
/// milliseconds. NULL on failure, with the reason in `*reason`.
struct croost_pulse *croost_pulse_open(
    const char *server, const char *app, uint32_t rate, uint8_t channels, uint32_t buffer, const char **reason);

/// Writes whole frames, and waits until the server has room for them. Returns NULL, or why the stream has ended.
const char *croost_pulse_write(struct croost_pulse *stream, const float *samples, size_t count);

/// Waits until everything is played. Returns NULL, or why the stream has ended.
const char *croost_pulse_drain(struct croost_pulse *stream);

/// Drops what is not played yet.
void croost_pulse_flush(struct croost_pulse *stream);

/// Closes the stream.
void croost_pulse_close(struct croost_pulse *stream);

#endif
