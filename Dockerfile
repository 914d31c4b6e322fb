# One static binary on an empty base, as a user without rights. Configuration is environment only.
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=development
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.version=${VERSION}" -o /cartwright ./cmd/cartwright \
 && mkdir -p /data && chown 65532:65532 /data

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /cartwright /cartwright
COPY --from=build --chown=65532:65532 /data /data
USER 65532:65532
ENV CARTWRIGHT_ADDR=0.0.0.0:8080 CARTWRIGHT_DATA=/data
VOLUME /data
EXPOSE 8080
ENTRYPOINT ["/cartwright"]
CMD ["serve"]
