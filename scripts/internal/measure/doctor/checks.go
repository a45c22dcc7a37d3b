package doctor

const (
	// Nine runs of scripts/bench doctor on a guest of KVM with 2 cores that was in
	// use, four of them beside an endless loop: the row loads, by the row meanwhile.
	costOfOthers = "sd of loads of 3 s: 2 % where others had 2 % of the CPUs; 3 to 4 % at 20 %; 22 to 71 % at 52 to 75 % (9 runs)"

	// https://blog.packagecloud.io/eng/2017/03/08/system-calls-are-much-slower-on-ec2/
	costOfClock = "about 77 % slower, on EC2's Xen (packagecloud, 2017)"
)

// Checks lists all checks, the most important first.
var Checks = []Check{
	{"others", "takes slices with what is measured", costOfOthers, others},
	{"load", "what ran may come again, and left heat", "", load},
	{"virtual", "its host's other guests share core, cache and memory, unseen", "", virtual},
	{"steal", "the host ran others while this machine wanted to run", "", steal},
	{"quota", "then all threads stop until the next period", "", quota},
	{"cpuset", "what runs on the others shares cache, memory and clock", "", cpuset},
	{"power", "firmware lowers the clock", "", power},
	{"governor", "the clock follows the load", "", governor},
	{"turbo", "the clock depends on heat and on how many cores are busy", "", turbo},
	{"throttling", "a processor too hot lowers its clock", "", throttling},
	{"siblings", "the speed of one depends on what the other does", "", siblings},
	{"placement", "k6 and servers wait for each other on what both may use", "", placement},
	{"idle", "an event waits for that", "that time, each wake-up", idle},
	{"swap", "a program that needs a page from swap waits for the disk", "", swap},
	{"pressure", "a thread that waits for memory or a disk does not serve", "", pressure},
	{"huge-pages", "khugepaged copies memory together when it likes; RSS grows by 2 MB", "", hugePages},
	{"same-pages", "ksmd compares memory all the time", "", samePages},
	{"watchdog", "takes a hardware counter and wakes every core", "", watchdog},
	{"timers", "start when they like, with CPU and disk", "", timers},
	{"cron", "starts its jobs when they are due, with CPU and disk", "", cron},
	{"clock", "each reading of the time is a system call", costOfClock, clock},
	{"slack", "who sleeps wakes later than asked", "", slack},
	{"tracking", "each packet of the loopback is looked up in a table", "", tracking},
	{"ports", "without a free port a connection fails", "", ports},
	{"files", "verify's crowd of 1,000 requests takes 2,000 in a server", "", files},
}
