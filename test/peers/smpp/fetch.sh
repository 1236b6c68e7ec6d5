#!/bin/sh
# Fetches a Debian package, with what it needs and this machine lacks, into the folder named, as an ordinary
# user. Ends with 3 and a reason where that cannot be had.
set -eu
to=$1
package=$2
program=$3
say() { echo "$package cannot be had: $1" >&2; exit 3; }
[ -e "$to/root/$program" ] && exit 0
for tool in apt-get apt-cache dpkg dpkg-deb; do command -v $tool >/dev/null || say "$tool is missing"; done
mkdir -p "$to/debs" "$to/root"
cd "$to/debs"
options='--recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances'
needed=$package
for each in $(apt-cache depends $options "$package" 2>/dev/null | grep '^[a-z0-9]' | sort -u); do
  dpkg -s "$each" >/dev/null 2>&1 || needed="$needed $each"
done
apt-get download $needed >/dev/null 2>&1 || say "its packages cannot be downloaded"
for deb in *.deb; do dpkg-deb -x "$deb" ../root; done
[ -e "$to/root/$program" ] || say "it has no $program"
