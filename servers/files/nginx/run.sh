# Starts nginx in a directory of its own. nginx reads no environment, so its configuration is written here. It ends
# gracefully with SIGQUIT, so SIGTERM is passed on as that. https://nginx.org/en/docs/control.html
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
upstream=${STUB_URL#http://}
sed -e "s|@HOST@|$HOST|" -e "s|@PORT@|$PORT|" -e "s|@UPSTREAM@|${upstream%%/*}|" nginx.conf >"$dir/nginx.conf"
nginx -p "$dir" -c nginx.conf -e stderr &
nginx=$!
trap 'kill -QUIT $nginx' TERM INT
while kill -0 $nginx 2>/dev/null; do # it fails once nginx has ended
	status=0
	wait $nginx || status=$? # a signal ends the wait, and nginx ends later
done
exit $status
