#!/bin/sh
# Runs a command as container engines and systemd do: on a read-only root, as an ordinary user without capabilities.
# sandbox.sh ROOT USER BINDS COMMAND…, where BINDS are words SOURCE:TARGET of what is mounted. Needs root, and a mount
# namespace of its own: unshare --mount sh sandbox.sh …
set -eu
root=$1 user=$2 binds=$3
shift 3
# The root of this machine cannot be mounted on itself. Each mount namespace has its own mounts on the folder.
inside=/tmp/nuncio-sandbox
mkdir -p "$inside"
mount --bind "$root" "$inside"
mount -o remount,bind,ro "$inside"
for bind in $binds; do
  target=$inside${bind#*:}
  # A folder that the root lacks goes into an empty parent.
  [ -d "$target" ] || { mount -t tmpfs tmpfs "${target%/*}" && mkdir "$target"; }
  mount --bind "${bind%%:*}" "$target"
done
mount -t tmpfs tmpfs "$inside/tmp"
cd /
exec chroot "$inside" setpriv --reuid="$user" --regid="$user" --clear-groups --bounding-set=-all --inh-caps=-all \
  --no-new-privs "$@"
