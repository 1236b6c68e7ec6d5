#!/bin/sh
# Fetches Debian's Kannel and the sources of its SMPP server into the folder named, as an ordinary user, and
# builds the server, which is one file. Ends with 3 and a reason where that cannot be had.
set -eu
to=$1
say() { echo "kannel cannot be had: $1" >&2; exit 3; }
[ -x "$to/opensmppbox" ] && exit 0
for tool in apt-get dpkg-deb gcc tar; do command -v $tool >/dev/null || say "$tool is missing"; done
mkdir -p "$to/lists/partial" "$to/debs" "$to/root"
cd "$to/debs"
apt-get download kannel kannel-dev libmariadb3 libpcre3 libhiredis0.14 libct4 libpq5 libxml2 libxml2-dev \
  libssl3 libsqlite3-0 >/dev/null 2>&1 || say "its packages cannot be downloaded"
for deb in *.deb; do dpkg-deb -x "$deb" ../root; done
cd ..
# The archive that this machine's packages come from has their sources too.
archive=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 'Created-By: Packages' 'Origin: Debian' |
  grep -v -e security -e updates -e backports | sort -u | head -n 1)
[ -n "$archive" ] || say "this is no Debian with an archive"
echo "deb-src $archive main" > sources.list
apt="apt-get -o Dir::Etc::sourcelist=$to/sources.list -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists=$to/lists"
$apt update >/dev/null 2>&1 || say "the list of sources cannot be had"
# Debian's own changes are not needed: only the original archive.
$apt --download-only source kannel >/dev/null 2>&1 || true
[ -f kannel_*.orig.tar.gz ] || say "its sources cannot be downloaded"
tar xzf kannel_*.orig.tar.gz --wildcards '*/addons/opensmppbox'
box=$(echo gateway-*/addons/opensmppbox)
printf '#define GW_NAME "opensmppbox"\n#define GW_VERSION "1.4.5"\n' > "$box/sb-config.h"
lib=$to/root/usr/lib/$(gcc -dumpmachine)
flat=$to/root/lib/$(gcc -dumpmachine)
gcc -O1 -w -D_XOPEN_SOURCE=600 -D_BSD_SOURCE -D_DEFAULT_SOURCE -D_LARGE_FILES= \
  -I"$to/root/usr/include/kannel" -I"$to/root/usr/include/libxml2" -o opensmppbox.part "$box/gw/opensmppbox.c" \
  -L"$lib/kannel" -L"$lib" -L"$flat" -lgw -lwap -lgwlib -l:libpq.so.5 -l:libssl.so.3 -l:libcrypto.so.3 \
  -l:libxml2.so.2 -l:libpcreposix.so.3 -l:libpcre.so.3 -l:libmariadb.so.3 -l:libsqlite3.so.0 \
  -l:libhiredis.so.0.14 -l:libct.so.4 -lm -lpthread -lresolv -Wl,-rpath-link,"$flat:$lib" 2>/dev/null ||
  say "it cannot be built"
mv opensmppbox.part opensmppbox
