import { join } from 'node:path';
import type { App } from '../../app.js';
import { usage } from '../../command-line/failure.js';
import { readProblem } from '../../terminal/io/streams.js';

/** In pixels. */
interface Size { readonly width: number; readonly height: number }

/** In pixels from the top left corner. */
interface ImagePoint {
  readonly at: { readonly x: number; readonly y: number };
  /** Null if it was not given. */
  readonly size: Size | null;
}

/** `--image-at 10,20 --image-size 640x480`. @throws Problem */
export const imagePoint = (at: string | undefined, size: string | undefined): ImagePoint => {
  if (at === undefined) throw usage('--image-size requires --image-at', 'use, for example, --image-at 10,20');
  const point = /^(\d{1,6}),(\d{1,6})$/.exec(at);
  if (!point) throw usage(`--image-at takes x,y, not ${JSON.stringify(at)}`);
  const extent = /^(\d{1,6})x(\d{1,6})$/i.exec(size ?? '');
  if (size !== undefined && !extent) throw usage(`--image-size takes WIDTHxHEIGHT, not ${JSON.stringify(size)}`);
  return {
    at: { x: Number(point[1]), y: Number(point[2]) },
    size: extent && { width: Number(extent[1]), height: Number(extent[2]) },
  };
};

/** In bytes. */
const largestImage = 67_108_864;

/** Of an image in the work tree, as a browser shows it. @throws Problem if there is no such image */
export const imageSizeOf = async (app: App, path: string): Promise<Size> => {
  const unknown = (reason: string) =>
    usage(`cannot determine the size of the image: ${reason}`, 'pass --image-size WIDTHxHEIGHT');
  const top = await app.workTree();
  if (top === null) throw unknown('the current folder is not in a git work tree');
  const bytes = await app.files.readLimited(join(top, path), largestImage, top).catch((error: unknown) => {
    throw unknown(`${path}: ${readProblem(error, largestImage)}`);
  });
  const { width, height, orientation = 1 } = await sizeOf(bytes) ?? {};
  if (!width || !height) throw unknown(`${path} is not an image of a known type`);
  // Cameras store images on their side, and say so.
  return orientation >= 5 ? { width: height, height: width } : { width, height };
};

const sizeOf = async (bytes: Uint8Array) => {
  const { imageSize } = await import('image-size');
  try {
    return imageSize(bytes);
  } catch {
    return null;
  }
};
