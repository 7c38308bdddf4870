import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A connection to PostgreSQL that a test can cut. */
export interface CuttableConnection {
  /** The URL of the store behind the connection. */
  readonly url: string;
  /** Cuts every connection and rejects new ones until `repair`. */
  cut(): void;
  repair(): void;
  /**
   * Cuts a connection when a text is sent through it: `before` it arrives, `after` its response but before the response
   * is delivered, or at once, with the text arriving `late`. Only the first time.
   */
  cutAt(text: string, when: 'before' | 'after' | 'late'): void;
}

/** Opens a forwarder to the PostgreSQL of a URL, which `end` closes. */
export const openCuttableConnection = async (url: string): Promise<CuttableConnection & { end(): void }> => {
  const target = new URL(url);
  const open = new Set<Socket>();
  let isCut = false;
  let cutPoint: { readonly text: string; readonly when: 'before' | 'after' | 'late' } | null = null;

  const server = createServer((client) => {
    if (isCut) return client.destroy();
    const postgres = connect(Number(target.port), target.hostname);
    let isCutting = false;
    for (const socket of [client, postgres]) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => { open.delete(socket); });
    }
    const drop = () => { client.destroy(); postgres.destroy(); };
    client.on('close', () => { if (!isCutting) postgres.destroy(); });
    postgres.on('close', () => { client.destroy(); });
    postgres.on('data', (bytes) => { if (isCutting) drop(); else client.write(bytes); });
    client.on('data', (bytes) => {
      if (cutPoint === null || !bytes.includes(cutPoint.text)) { postgres.write(bytes); return; }
      const { when } = cutPoint;
      cutPoint = null;
      if (when === 'before') { drop(); return; }
      isCutting = true;
      if (when === 'after') { postgres.write(bytes); return; }
      client.destroy();
      setTimeout(() => { postgres.write(bytes); }, 300);
    });
    return undefined;
  });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const cuttable = new URL(url);
  cuttable.port = String((server.address() as AddressInfo).port);
  const cut = () => { isCut = true; for (const socket of open) socket.destroy(); };
  return {
    url: cuttable.href,
    cut,
    repair: () => { isCut = false; },
    cutAt: (text, when) => { cutPoint = { text, when }; },
    end: () => { cut(); server.close(); },
  };
};
