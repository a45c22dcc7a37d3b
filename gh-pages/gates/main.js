// Runs gates.ts, which Vite reads: Node 20 knows no types.
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const { module } = await runnerImport(fileURLToPath(new URL('gates.ts', import.meta.url)), {
  configFile: false,
  logLevel: 'warn',
});
// Vite's own import ends with its work.
process.exitCode = await module.main(process.argv.slice(2), (path) => import(path));
