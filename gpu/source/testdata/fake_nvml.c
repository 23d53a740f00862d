/*
 * A stand-in for NVIDIA's management library, for tests: the functions that tokdyno calls, with the C interface of nvml.h.
 *
 * What it plays is one word in a file beside the library, named like it with ".scenario" appended. It is read anew at
 * every call, so that a test can change the scene in the middle:
 *
 *   normal     two Hopper GPUs
 *   eight      eight of them
 *   ampere     two GPUs without performance monitoring
 *   unified    one GPU that shares the host's memory
 *   jetson     one such that gives zeros for what it does not know
 *   mig        a GPU of two instances, with a hole between them, and one that is whole
 *   lost       the second GPU fell off the bus
 *   forbidden  the second GPU is kept from this user
 *   nogpm      performance monitoring needs permission
 *   nodriver   the kernel module is not loaded
 *   mismatch   library and kernel module differ
 *   nogpu      a driver without GPUs
 *   hang       the first GPU does not answer, until another scene is played
 *   gone       the driver was unloaded under the library
 *
 * Built with -DOLD it is a library of before these functions had their present form, or existed.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    SUCCESS = 0, UNINITIALIZED = 1, INVALID_ARGUMENT = 2, NOT_SUPPORTED = 3, NO_PERMISSION = 4, NOT_FOUND = 6,
    INSUFFICIENT_SIZE = 7, DRIVER_NOT_LOADED = 9, GPU_IS_LOST = 15, VERSION_MISMATCH = 18, ARGUMENT_VERSION = 25
};

typedef int result;
typedef unsigned int uint;
typedef unsigned long long ull;

typedef struct { ull total, free, used; } memory;
typedef struct { uint version; ull total, reserved, free, used; } memory_v2;
typedef struct { uint gpu, memory; } utilization;
typedef struct { uint pid; ull used; uint gpu_instance, compute_instance; } process;

/* A GPU, or an instance of one. */
typedef struct device { int index; int instance; /* 0: whole */ } *handle;
typedef struct sample { int index, instance; ull at; } *sample_handle;

static struct device gpus[8] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0}, {6, 0}, {7, 0}};
static struct device instances[2] __attribute__((unused)) = {{0, 1}, {0, 2}};
static int initialised;

static int playing(const char *scene)
{
    char path[4096], word[64] = "";
    Dl_info self;
    FILE *f;
    if (!dladdr((void *)playing, &self))
        return 0;
    snprintf(path, sizeof path, "%s.scenario", self.dli_fname);
    f = fopen(path, "r");
    if (!f)
        return 0;
    if (fscanf(f, "%63s", word) != 1)
        word[0] = 0;
    fclose(f);
    return strcmp(word, scene) == 0;
}

/* What every call on a device answers before anything else. */
static result state(handle d)
{
    if (!initialised || playing("gone"))
        return UNINITIALIZED;
    if (!d)
        return INVALID_ARGUMENT;
    if (d->index == 1 && playing("lost"))
        return GPU_IS_LOST;
    return SUCCESS;
}

#define REQUIRE(d) do { result r_ = state(d); if (r_ != SUCCESS) return r_; } while (0)
#define WHOLE(d) do { REQUIRE(d); if ((d)->instance) return NOT_SUPPORTED; } while (0)

static int integrated(void) { return playing("unified") || playing("jetson"); }

static result put(char *to, uint room, const char *text)
{
    if (strlen(text) >= room)
        return INSUFFICIENT_SIZE;
    strcpy(to, text);
    return SUCCESS;
}

static result begin(void)
{
    if (playing("nodriver") || playing("gone"))
        return DRIVER_NOT_LOADED;
    if (playing("mismatch"))
        return VERSION_MISMATCH;
    initialised = 1;
    return SUCCESS;
}

static result count(uint *n)
{
    *n = playing("eight") ? 8 : playing("nogpu") ? 0 : integrated() ? 1 : 2;
    return SUCCESS;
}

static result by_index(uint i, handle *d)
{
    if (!initialised)
        return UNINITIALIZED;
    if (i >= 8)
        return INVALID_ARGUMENT;
    if (i == 1 && playing("forbidden"))
        return NO_PERMISSION;
    *d = &gpus[i];
    return SUCCESS;
}

#ifdef OLD
result nvmlInit(void) { return begin(); }
result nvmlDeviceGetCount(uint *n) { return count(n); }
result nvmlDeviceGetHandleByIndex(uint i, handle *d) { return by_index(i, d); }
#else
result nvmlInit_v2(void) { return begin(); }
result nvmlDeviceGetCount_v2(uint *n) { return count(n); }
result nvmlDeviceGetHandleByIndex_v2(uint i, handle *d) { return by_index(i, d); }
#endif

result nvmlShutdown(void)
{
    initialised = 0;
    return SUCCESS;
}


result nvmlSystemGetProcessName(uint pid, char *to, uint room)
{
    return pid == 4242 ? put(to, room, "/opt/venv/bin/python3") : NOT_FOUND;
}

result nvmlDeviceGetName(handle d, char *to, uint room)
{
    REQUIRE(d);
    if (d->instance)
        return put(to, room, "NVIDIA H100 80GB HBM3 MIG 3g.40gb");
    return put(to, room, playing("unified") ? "NVIDIA GB10" : playing("jetson") ? "Orin (nvgpu)" : "NVIDIA H100 80GB HBM3");
}

result nvmlDeviceGetUUID(handle d, char *to, uint room)
{
    char text[80];
    REQUIRE(d);
    snprintf(text, sizeof text, "%s-00000000-0000-0000-0000-00000000%02d%02d", d->instance ? "MIG" : "GPU", d->instance, d->index);
    return put(to, room, text);
}

static const ull MIB = 1 << 20;

result nvmlDeviceGetMemoryInfo(handle d, memory *m)
{
    REQUIRE(d);
    if (playing("unified"))
        return NOT_SUPPORTED;
    memset(m, 0, sizeof *m);
    if (playing("jetson"))
        return SUCCESS;
    m->total = 81559 * MIB;
    m->used = (72000 + 10 * d->index + 600) * MIB; /* the old form counts what is reserved as used */
    m->free = m->total - m->used;
    return SUCCESS;
}

result nvmlDeviceGetUtilizationRates(handle d, utilization *u)
{
    WHOLE(d);
    while (d->index == 0 && playing("hang"))
        usleep(10000);
    if (d->index == 0 && playing("mig"))
        return NOT_SUPPORTED;
    u->gpu = 97 - d->index;
    u->memory = 41;
    return SUCCESS;
}

result nvmlDeviceGetPowerUsage(handle d, uint *mw)
{
    WHOLE(d);
    *mw = playing("jetson") ? 0 : 612345;
    return SUCCESS;
}

result nvmlDeviceGetEnforcedPowerLimit(handle d, uint *mw)
{
    WHOLE(d);
    if (integrated())
        return NOT_SUPPORTED;
    *mw = 700000;
    return SUCCESS;
}

result nvmlDeviceGetTemperature(handle d, uint sensor, uint *celsius)
{
    WHOLE(d);
    if (sensor != 0)
        return INVALID_ARGUMENT;
    *celsius = playing("jetson") ? 0 : 64;
    return SUCCESS;
}

result nvmlDeviceGetClockInfo(handle d, uint clock, uint *mhz)
{
    WHOLE(d);
    *mhz = clock == 1 ? 1755 : clock == 2 ? 2619 : 0;
    return SUCCESS;
}

result nvmlDeviceGetMaxClockInfo(handle d, uint clock, uint *mhz)
{
    WHOLE(d);
    *mhz = clock == 1 ? 1980 : 2619;
    return SUCCESS;
}

static result throttled(handle d, ull *set)
{
    WHOLE(d);
    *set = d->index == 0 ? 0x4 | 0x20 : 0;
    return SUCCESS;
}

#ifdef OLD

result nvmlDeviceGetCurrentClocksThrottleReasons(handle d, ull *set) { return throttled(d, set); }

#else

result nvmlDeviceGetCurrentClocksEventReasons(handle d, ull *set) { return throttled(d, set); }

result nvmlDeviceGetMemoryInfo_v2(handle d, memory_v2 *m)
{
    REQUIRE(d);
    if (m->version != (sizeof *m | 2 << 24))
        return ARGUMENT_VERSION;
    if (playing("unified"))
        return NOT_SUPPORTED;
    m->total = m->reserved = m->free = m->used = 0;
    if (playing("jetson"))
        return SUCCESS;
    m->total = (d->instance ? 40320 : 81559) * MIB;
    m->reserved = 600 * MIB;
    m->used = (d->instance ? 30000 + d->instance : 72000 + 10 * d->index) * MIB;
    m->free = m->total - m->used - m->reserved;
    return SUCCESS;
}

result nvmlDeviceGetTotalEnergyConsumption(handle d, ull *mj)
{
    WHOLE(d);
    if (integrated())
        return NOT_SUPPORTED;
    *mj = 5000000500ULL + d->index;
    return SUCCESS;
}

result nvmlDeviceGetComputeRunningProcesses_v3(handle d, uint *n, process *list)
{
    uint room = *n;
    REQUIRE(d);
    *n = d->index == 1 ? 70 : 2; /* more than anybody makes room for at first */
    if (room < *n)
        return INSUFFICIENT_SIZE;
    for (uint i = 0; i < *n; i++)
        list[i] = (process){4242 + i, (ull)(1000 + i) * MIB, ~0u, ~0u};
    if (d->index == 0 && !integrated())
        list[1].used = ~0ULL;
    return SUCCESS;
}

result nvmlDeviceGetMigMode(handle d, uint *now, uint *pending)
{
    WHOLE(d);
    if (integrated())
        return NOT_SUPPORTED;
    *now = *pending = d->index == 0 && playing("mig");
    return SUCCESS;
}

result nvmlDeviceGetMaxMigDeviceCount(handle d, uint *n)
{
    WHOLE(d);
    *n = 7;
    return SUCCESS;
}

result nvmlDeviceGetMigDeviceHandleByIndex(handle d, uint i, handle *instance)
{
    WHOLE(d);
    if (i != 0 && i != 2)
        return NOT_FOUND;
    *instance = &instances[i / 2];
    return SUCCESS;
}

result nvmlDeviceGetGpuInstanceId(handle d, uint *id)
{
    REQUIRE(d);
    *id = d->instance;
    return d->instance ? SUCCESS : NOT_SUPPORTED;
}

result nvmlDeviceGetComputeInstanceId(handle d, uint *id)
{
    REQUIRE(d);
    *id = 0;
    return d->instance ? SUCCESS : NOT_SUPPORTED;
}

typedef struct { uint version, supported; } gpm_support;
typedef struct { uint id; result returned; double value; struct { char *short_name, *long_name, *unit; } info; } gpm_metric;
typedef struct { uint version, n; sample_handle from, to; gpm_metric metrics[477]; } gpm_metrics;

static ull samples; /* taken so far */

result nvmlGpmQueryDeviceSupport(handle d, gpm_support *s)
{
    WHOLE(d);
    if (s->version != 1)
        return ARGUMENT_VERSION;
    s->supported = !playing("ampere") && !integrated();
    return SUCCESS;
}

result nvmlGpmSampleAlloc(sample_handle *s)
{
    *s = calloc(1, sizeof **s);
    return *s ? SUCCESS : INVALID_ARGUMENT;
}

result nvmlGpmSampleFree(sample_handle s)
{
    free(s);
    return SUCCESS;
}

static result take(handle d, int instance, sample_handle s)
{
    WHOLE(d);
    if (playing("nogpm"))
        return NO_PERMISSION;
    *s = (struct sample){d->index, instance, ++samples};
    return SUCCESS;
}

result nvmlGpmSampleGet(handle d, sample_handle s)
{
    return d && d->index == 0 && playing("mig") ? NOT_SUPPORTED : take(d, 0, s);
}

result nvmlGpmMigSampleGet(handle d, uint gpu_instance, sample_handle s) { return take(d, (int)gpu_instance, s); }

result nvmlGpmMetricsGet(gpm_metrics *m)
{
    if (m->version != 1)
        return ARGUMENT_VERSION;
    if (m->from->index != m->to->index || m->from->instance != m->to->instance || m->from->at >= m->to->at)
        return INVALID_ARGUMENT; /* samples of two devices, or the wrong way round */
    for (uint i = 0; i < m->n; i++) {
        gpm_metric *x = &m->metrics[i];
        x->returned = SUCCESS;
        x->info.short_name = x->info.long_name = x->info.unit = "";
        switch (x->id) {
        case 2: x->value = 91.5 - m->to->index - m->to->instance; break;
        case 3: x->value = 44.25; break;
        case 5: x->value = 37.5; break;
        case 10: x->value = m->to->index == 0 ? 63 : NAN; break;
        case 20: x->value = 120; break;
        case 21: x->value = 340; break;
        case 60: x->value = 15000; break;
        case 61: x->value = 16000; break;
        default: x->returned = INVALID_ARGUMENT;
        }
        if (x->id >= 60 && m->to->index == 1)
            x->returned = NOT_SUPPORTED;
    }
    return SUCCESS;
}

#endif
