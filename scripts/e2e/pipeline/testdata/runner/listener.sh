# The runner's listener: starts a worker for a job and outlives it.
"$1/Runner.Worker" "$3/worker.sh" "$1" "$2"
echo "worker: $?"
