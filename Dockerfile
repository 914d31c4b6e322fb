# One static binary on an image without a shell, as a user without rights. Configuration is environment only.
#   docker build --build-arg VERSION=1.2.3 -t cartwright .
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=development
RUN CGO_ENABLED=0 go build -trimpath -tags grpcnotrace -ldflags "-s -w -X github.com/cartwright-dev/cartwright/cmd/cartwright/program.version=${VERSION}" -o /cartwright ./cmd/cartwright \
 && mkdir -p /data && chown 65532:65532 /data

FROM gcr.io/distroless/static-debian12:nonroot
ARG VERSION=development
LABEL org.opencontainers.image.title="Cartwright" \
      org.opencontainers.image.description="A multi-tenant commerce server" \
      org.opencontainers.image.source="https://github.com/cartwright-dev/cartwright" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}"
COPY --from=build /cartwright /cartwright
COPY --from=build --chown=65532:65532 /data /data
USER 65532:65532
ENV CARTWRIGHT_ADDR=0.0.0.0:8080 CARTWRIGHT_DATA=/data
VOLUME /data
EXPOSE 8080
# Readiness turns, the delay passes, accepted work is finished: see OPERATIONS.md. Give it longer than Docker's ten seconds.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=4s --start-period=30s --retries=3 CMD ["/cartwright", "health"]
ENTRYPOINT ["/cartwright"]
CMD ["serve"]
