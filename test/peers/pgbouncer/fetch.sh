#!/bin/sh
# Fetches Debian's PgBouncer with its libraries into the folder named, as an ordinary user. Ends with 3 and a reason
# where it cannot be had.
set -eu
to=$1
say() { echo "PgBouncer cannot be had: $1" >&2; exit 3; }
[ -x "$to/root/usr/sbin/pgbouncer" ] && exit 0
for tool in apt-get dpkg-deb; do command -v $tool >/dev/null || say "$tool is missing"; done
mkdir -p "$to/debs" "$to/new"
cd "$to/debs"
apt-get download pgbouncer libc-ares2 libevent-2.1-7 libssl3 >/dev/null 2>&1 || say "its packages cannot be downloaded"
for deb in *.deb; do dpkg-deb -x "$deb" ../new; done
chmod -R go+rX "$to"
mv ../new ../root
