// A fake NVML for tests without a GPU. With FAKE_NVML_BEFORE_535 the clock reasons have their former name and
// there is no power limit.
#include "fake_nvml.hpp"

#include <chrono>
#include <cstring>
#include <thread>

extern "C" {

FakeNvml fake_nvml;

int nvmlInit_v2() {
    ++fake_nvml.inits;
    return fake_nvml.init_result;
}

int nvmlShutdown() {
    ++fake_nvml.shutdowns;
    return 0;
}

const char* nvmlErrorString(int result) {
    return result == 3 ? "Not Supported" : result == 9 ? "Driver Not Loaded" : "Some Error";
}

int nvmlDeviceGetHandleByPciBusId_v2(const char* pci_bus_id, void** device) {
    std::strncpy(fake_nvml.requested_bus_id.data(), pci_bus_id, fake_nvml.requested_bus_id.size() - 1);
    *device = &fake_nvml;
    return fake_nvml.handle_result;
}

int nvmlDeviceGetClockInfo(void* device, int clock, unsigned* mhz) {
    ++fake_nvml.readings;
    while (fake_nvml.blocked) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    *mhz = 1'410;
    return device == &fake_nvml && clock == 1 ? 0 : 2;
}

int nvmlDeviceGetMaxClockInfo(void*, int clock, unsigned* mhz) {
    *mhz = 1'980;
    return clock == 1 ? 0 : 2;
}

int nvmlDeviceGetTemperature(void*, int sensor, unsigned* degrees) {
    *degrees = 61;
    return sensor == 0 ? fake_nvml.temperature_result.load() : 2;
}

int nvmlDeviceGetPowerUsage(void*, unsigned* milliwatts) {
    *milliwatts = 697'600;
    return 0;
}

#ifdef FAKE_NVML_BEFORE_535
int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* mask) {
#else
int nvmlDeviceGetEnforcedPowerLimit(void*, unsigned* milliwatts) {
    *milliwatts = 700'000;
    return 0;
}

int nvmlDeviceGetCurrentClocksEventReasons(void*, unsigned long long* mask) {
#endif
    *mask = fake_nvml.clock_reasons;
    return 0;
}

}  // extern "C"
