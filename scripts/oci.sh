# shellcheck shell=bash
# Container images without a container engine: an OCI layout of one layer in a tarball, with Docker's own list of it
# beside OCI's. The same files give the same bytes. Sourced by `scripts/image`.

# Prints FOLDER's files NAME as a tarball: of one time, in order of names, with GNU tar's options.
packed() { # FOLDER NAME... -- OPTION...
  local folder=$1 names=()
  shift
  while [ "$1" != -- ]; do names+=("$1") && shift; done
  shift
  LC_ALL=C tar -C "$folder" --sort=name --mtime='2000-01-01 00:00Z' --numeric-owner "$@" -cf - "${names[@]}"
}

# Writes an image of a layer, which is a tarball; CONFIG are the members of `config` in JSON.
write_image() { # LAYER NAME:TAG ARCHITECTURE CONFIG FILE
  local layout layer config manifest kind=application/vnd.oci.image
  layout=$(mktemp -d)
  mkdir -p "$layout/blobs/sha256" "$(dirname "$5")"
  layer=$(gzip -n <"$1" | blob "$layout")
  config=$({
    printf '{"architecture":"%s","os":"linux","config":{%s},' "$3" "$4"
    printf '"rootfs":{"type":"layers","diff_ids":["sha256:%s"]}}' "$(sha256sum "$1" | cut -d ' ' -f 1)"
  } | blob "$layout")
  manifest=$({
    printf '{"schemaVersion":2,"mediaType":"%s.manifest.v1+json",' $kind
    printf '"config":%s,"layers":[%s]}' "$(descriptor "$layout" config.v1+json "$config")" \
      "$(descriptor "$layout" layer.v1.tar+gzip "$layer")"
  } | blob "$layout")
  printf '{"imageLayoutVersion":"1.0.0"}' >"$layout/oci-layout"
  printf '{"schemaVersion":2,"mediaType":"%s.index.v1+json","manifests":[%s]}' $kind \
    "$(descriptor "$layout" manifest.v1+json "$manifest" "$2")" >"$layout/index.json"
  # Docker reads an OCI layout only where it keeps its images in containerd; elsewhere it asks for this.
  printf '[{"Config":"blobs/sha256/%s","RepoTags":["%s"],"Layers":["blobs/sha256/%s"]}]' \
    "$config" "$2" "$layer" >"$layout/manifest.json"
  packed "$layout" blobs index.json manifest.json oci-layout -- --owner=0 --group=0 >"$5"
  rm -rf "$layout"
}

# Takes the program out of an image of `scripts/image`.
unpack_program() { # IMAGE FILE
  local layer
  for layer in $(tar -tf "$1" | grep '^blobs/'); do
    if tar -xOf "$1" "$layer" | tar -xzOf - plimsoll >"$2" 2>/dev/null; then
      chmod +x "$2"
      return
    fi
  done
  return 1
}

# Puts standard input among the blobs; prints its digest, which is the file's name.
blob() { # LAYOUT
  local digest
  cat >"$1/blob"
  digest=$(sha256sum "$1/blob" | cut -d ' ' -f 1)
  mv "$1/blob" "$1/blobs/sha256/$digest"
  echo "$digest"
}

# Prints what a blob is, for those that refer to it.
descriptor() { # LAYOUT MEDIA_TYPE DIGEST [NAME:TAG]
  printf '{"mediaType":"application/vnd.oci.image.%s","digest":"sha256:%s","size":%s' \
    "$2" "$3" "$(stat -c %s "$1/blobs/sha256/$3")"
  [ -z "${4:-}" ] || {
    printf ',"annotations":{"io.containerd.image.name":"%s",' "$4"
    printf '"org.opencontainers.image.ref.name":"%s"}' "${4##*:}"
  }
  printf '}'
}
