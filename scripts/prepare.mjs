/**
 * Builds after `npm ci` and before packing. Where the tools to build with are not installed (`npm ci --omit=dev`) there
 * is nothing to do: the launcher says so when it is called.
 */
const hasTools = ['esbuild', 'typescript'].every((name) => {
  try {
    return Boolean(import.meta.resolve(`${name}/package.json`));
  } catch {
    return false;
  }
});

if (hasTools) await import('./build.mjs');
else console.error('colloquy is not built: the development dependencies are not installed');
