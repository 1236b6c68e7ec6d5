#!/bin/sh
# Builds the image of deploy/Dockerfile with buildah, on a base made of Debian's packages, since no registry is asked:
# build-image.sh SCRATCH PROJECT NODE, where NODE is the program to put into the base. Needs root. Ends with 3 and a
# reason where it cannot be done. The image is left in SCRATCH/storage, its files in SCRATCH/image.
set -eu
scratch=$1
project=$2
node=$3
say() { echo "the image cannot be built: $1" >&2; exit 3; }
[ "$(id -u)" = 0 ] || say "this takes root"
for tool in apt-get dpkg-deb npm; do command -v $tool >/dev/null || say "$tool is missing"; done

fetch=$project/test/peers/smpp/fetch.sh
sh "$fetch" "$scratch/buildah" buildah usr/bin/buildah || say "buildah is missing"
sh "$fetch" "$scratch/debootstrap" debootstrap usr/sbin/debootstrap || say "debootstrap is missing"
sh "$fetch" "$scratch/patchelf" patchelf usr/bin/patchelf || say "patchelf is missing"

# It runs itself again with an empty environment, so a variable cannot name its libraries.
buildah=$scratch/buildah/root/usr/bin/buildah
libraries=$scratch/buildah/root/usr/lib/x86_64-linux-gnu:$scratch/buildah/root/lib/x86_64-linux-gnu
"$scratch/patchelf/root/usr/bin/patchelf" --force-rpath --set-rpath "$libraries" "$buildah"

base=$scratch/base
if [ ! -x "$base/usr/local/bin/node" ]; then
  rm -rf "$base"
  export DEBOOTSTRAP_DIR="$scratch/debootstrap/root/usr/share/debootstrap"
  "$scratch/debootstrap/root/usr/sbin/debootstrap" --variant=minbase --no-check-gpg \
    --include=libatomic1,ca-certificates bookworm "$base" http://deb.debian.org/debian >"$scratch/base.log" 2>&1 ||
    say "debootstrap failed, see $scratch/base.log"
  rm -rf "$base/var/cache/apt/archives" "$base/var/lib/apt/lists"
  chroot "$base" useradd --uid 1000 --create-home --user-group node
  npm pack --silent --pack-destination "$scratch" npm@11 >/dev/null
  mkdir -p "$base/usr/local/lib/node_modules/npm"
  tar -xzf "$scratch"/npm-11*.tgz -C "$base/usr/local/lib/node_modules/npm" --strip-components=1
  ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$base/usr/local/bin/npm"
  ln -sf ../lib/node_modules/npm/bin/npx-cli.js "$base/usr/local/bin/npx"
  cp "$node" "$base/usr/local/bin/node"
fi

mkdir -p "$scratch/etc"
echo '{"default":[{"type":"insecureAcceptAnything"}]}' >"$scratch/etc/policy.json"
echo 'unqualified-search-registries = []' >"$scratch/etc/registries.conf"
build() {
  "$buildah" --storage-driver vfs --root "$scratch/storage" --runroot "$scratch/run" \
    --registries-conf "$scratch/etc/registries.conf" "$@"
}
if ! build images --quiet localhost/nuncio-base >/dev/null 2>&1; then
  container=$(build from --signature-policy "$scratch/etc/policy.json" scratch)
  # A proxy of this machine can have its own certificates.
  cp /etc/ssl/certs/ca-certificates.crt "$base/etc/ssl/certs/ca-certificates.crt"
  build config --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$container"
  build add --quiet "$container" "$base" / >/dev/null
  build commit --quiet --signature-policy "$scratch/etc/policy.json" "$container" localhost/nuncio-base >/dev/null
  build rm "$container" >/dev/null
fi
build bud --isolation chroot --network host --signature-policy "$scratch/etc/policy.json" --format docker \
  --build-arg NODE_IMAGE=localhost/nuncio-base -f "$project/deploy/Dockerfile" -t localhost/nuncio "$project"
container=$(build from --signature-policy "$scratch/etc/policy.json" localhost/nuncio)
mounted=$(build mount "$container")
rm -rf "$scratch/image"
cp -a "$mounted" "$scratch/image"
build umount "$container" >/dev/null
build rm "$container" >/dev/null
build inspect --type image localhost/nuncio >"$scratch/config.json"
