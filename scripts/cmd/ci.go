package cmd

import "fairstream/scripts/internal/cli"

// CI are the commands that only the workflows call.
var CI = []cli.Command{
	{Name: "plan", Purpose: "print what to load for the event that started a workflow", Define: Plan},
	{Name: "servers", Purpose: "print which servers of another repository an event is about, and let the others pass", Define: Servers},
	{Name: "check", Args: "DIR", Purpose: "check the artifacts of a run, and write its records and chart points", Define: Check},
	{Name: "push", Args: "DIR", Purpose: "push the files of check to the branch gh-pages", Define: Push},
	{Name: "comment", Args: "[ARTIFACTS]", Purpose: "write the comment under a pull request and a commit status for each server; without artifacts, placeholders", Define: Comment},
	{Name: "alert", Args: "NOTICES", Purpose: "open an issue about each server that regressed on main", Define: Alert},
	{Name: "equal", Args: "DIR", Purpose: "say whether machines of one kind are equal, by the records of the same servers that each uploaded", Define: Equal},
	{Name: "watch", Purpose: "open an issue when nothing was published for long, or a job waits for the machine", Define: Watch},
	{Name: "watchdog", Args: "JOBS", Purpose: "cancel the workflow run when no runner takes its jobs, so that the machine is free for others", Define: Watchdog},
}
