// Prints the CPU time of one hash in us, of an empty loop and of the code of a patch by turns.
import { createHash } from "node:crypto";

const hashing = Buffer.alloc(Number(process.argv[2]) << 10);
const calls = 20_000;

function measure(call) {
  const before = process.cpuUsage();
  for (let i = 0; i < calls; i++) {
    call();
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}

const empty = () => {};
const code = () => createHash("sha256").update(hashing).digest();
measure(code); // the runtime compiles
for (let i = 0; i < Number(process.argv[3]); i++) {
  console.log(measure(empty), measure(code));
}
