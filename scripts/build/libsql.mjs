import { readFileSync } from 'node:fs';

/** How libsql loads its native part. */
const nativePart = 'require(`@libsql/${target}`)';

const withFastLoading = (text) => {
  if (!text.includes(nativePart)) throw new Error('libsql/index.js has an unexpected form');
  return text.replace(nativePart, "require('@neon-rs/load').requireNative(`@libsql/${target}`)");
};

const replacement = new URL('./libsql.cjs', import.meta.url);

/**
 * The esbuild plugin that includes the JavaScript of libsql in the bundle, so that only its native part is looked up
 * when the server starts.
 */
export const includedLibsql = {
  name: 'included libsql',
  setup({ initialOptions, onResolve, onLoad }) {
    initialOptions.external = initialOptions.external.filter((name) => name !== 'libsql');
    onLoad({ filter: /[\\/]node_modules[\\/]libsql[\\/]index\.js$/ }, ({ path }) =>
      ({ contents: withFastLoading(readFileSync(path, 'utf8')) }));
    onResolve({ filter: /^(@neon-rs\/load|detect-libc)$/ }, ({ namespace }) =>
      namespace === 'libsql' ? undefined : { path: 'detection', namespace: 'libsql' });
    onLoad({ filter: /.*/, namespace: 'libsql' }, () =>
      ({ contents: readFileSync(replacement, 'utf8'), resolveDir: process.cwd() }));
  },
};
