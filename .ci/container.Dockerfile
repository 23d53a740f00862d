# The container of a release. It is made by goreleaser, of the static binary that it has built: of a checkout alone, nothing is
# there to be copied. Certificates and a user without rights (65532) come with the base.
FROM gcr.io/distroless/static-debian12:nonroot
ARG TARGETPLATFORM
COPY $TARGETPLATFORM/tokdyno /usr/local/bin/tokdyno
ENTRYPOINT ["/usr/local/bin/tokdyno"]
