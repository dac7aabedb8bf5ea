# Headless runs, the bench and the tests, on a machine with the NVIDIA container runtime:
#   docker build --build-arg ARCHITECTURE=90 --tag warpsieve .
#   docker run --rm --gpus all warpsieve bench --n 2^24
#   docker run --rm --gpus all --entrypoint scripts/gpu-check warpsieve build logs tests
# ARCHITECTURE is the compute capability of the GPU without its point.
FROM nvidia/cuda:13.0.1-devel-ubuntu24.04
# OpenGL of the driver, for pictures; NVML, for clocks.
ENV NVIDIA_DRIVER_CAPABILITIES=compute,graphics,utility
WORKDIR /warpsieve
COPY scripts/setup scripts/usage scripts/
RUN scripts/setup tests
COPY . .
ARG ARCHITECTURE=90
RUN scripts/build build -DCMAKE_CUDA_ARCHITECTURES=$ARCHITECTURE -DWARPSIEVE_GPU_TESTS=ON
ENTRYPOINT ["build/app/warpsieve"]
CMD ["--headless"]
