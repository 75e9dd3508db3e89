# One image for workers, the front and the commands: Python, what the wheels need, and no shell.
# `make image` builds it, docs/image.md says how to run it, docs/adr/0014-image.md why it is so.

# Debian 12, from a registry or bootstrapped. Pin it by digest where you release from.
ARG BASE=debian:bookworm-slim

FROM ${BASE} AS build
# Debian's security updates are wanted as they come; the lock is for what is not Debian's.
# hadolint ignore=DL3008
RUN dpkg-query --show ca-certificates libpython3.11 libstdc++6 python3.11-venv >/dev/null 2>&1 || { \
        apt-get update && \
        apt-get install --yes --no-install-recommends \
            ca-certificates libpython3.11 libstdc++6 python3.11-venv && \
        rm -rf /var/lib/apt/lists/*; }
ENV PIP_CACHE_DIR=/build/cache PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_COMPILE=1 PIP_QUIET=1
RUN python3.11 -m venv /build/pip && python3.11 -m venv --without-pip /opt/mextrain

# An index of one's own comes as the secret `pip.conf`, its authorities as `ca-certificates`.
COPY requirements-service.lock /build/
RUN --mount=type=secret,id=pip.conf --mount=type=secret,id=ca-certificates \
    --mount=type=cache,target=/build/cache \
    if [ -s /run/secrets/pip.conf ]; then export PIP_CONFIG_FILE=/run/secrets/pip.conf; fi && \
    if [ -s /run/secrets/ca-certificates ]; then export PIP_CERT=/run/secrets/ca-certificates; fi && \
    /build/pip/bin/python -m pip --python /opt/mextrain/bin/python install \
        --only-binary :all: --require-hashes --requirement /build/requirements-service.lock && \
    rm -f /opt/mextrain/bin/[Aa]ctivate* && \
    find /opt/mextrain/lib -name '*.pyi' -delete && \
    python3.11 -m compileall -q --invalidation-mode unchecked-hash /opt/mextrain/lib

COPY tools/image_root.py /build/
RUN python3.11 /build/image_root.py /layers/system /opt/mextrain && \
    python3.11 -m compileall -q --invalidation-mode unchecked-hash \
        -s /layers/system /layers/system/usr/lib/python3.11

ARG VERSION
COPY dist/mextrain-${VERSION}-py3-none-any.whl dist/mextrain_client-${VERSION}-py3-none-any.whl /build/
RUN /build/pip/bin/python -m pip --python /opt/mextrain/bin/python install \
        --no-index --no-deps --no-warn-script-location --root /layers/application \
        /build/mextrain-${VERSION}-py3-none-any.whl \
        /build/mextrain_client-${VERSION}-py3-none-any.whl && \
    python3.11 -m compileall -q --invalidation-mode unchecked-hash \
        -s /layers/application /layers/application/opt/mextrain/lib

FROM scratch
ARG VERSION
ARG REVISION=unknown
ARG CREATED=unknown
ARG SOURCE=unknown
LABEL org.opencontainers.image.title="Mextrain" \
      org.opencontainers.image.description="Hosts games of Mexican Train dominoes" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.created="${CREATED}" \
      org.opencontainers.image.source="${SOURCE}"
COPY --from=build /layers/system /
COPY --from=build /opt/mextrain /opt/mextrain
COPY third_party/licences /usr/share/doc/mextrain/licences
COPY --from=build /layers/application /
ENV PATH=/opt/mextrain/bin \
    container=oci \
    LANG=C.UTF-8 \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    MEXTRAIN_SERVER_HOST=0.0.0.0 \
    MEXTRAIN_METRICS_HOST=0.0.0.0 \
    MEXTRAIN_FRONT_HOST=0.0.0.0
USER 65532:65532
WORKDIR /tmp
EXPOSE 7300 7380 7382 7390
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 CMD ["mextrain", "health"]
ENTRYPOINT ["mextrain"]
CMD ["worker"]
