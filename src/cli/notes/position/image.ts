import { usage } from '../../command-line/errors/failure.js';

/** In pixels from the top left corner, with the size of the image. */
interface ImagePoint { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

/** `--image-at 10,20 --image-size 640x480`; the service requires both. @throws Problem */
export const imagePoint = (at: string | undefined, size: string | undefined): ImagePoint => {
  if (at === undefined || size === undefined) {
    throw usage('--image-at and --image-size must be used together',
      'use, for example, --image-at 10,20 --image-size 640x480');
  }
  const point = /^(\d{1,6}),(\d{1,6})$/.exec(at);
  if (!point) throw usage(`--image-at takes x,y, not ${JSON.stringify(at)}`);
  const extent = /^(\d{1,6})x(\d{1,6})$/i.exec(size);
  if (!extent) throw usage(`--image-size takes WIDTHxHEIGHT, not ${JSON.stringify(size)}`);
  return { x: Number(point[1]), y: Number(point[2]), width: Number(extent[1]), height: Number(extent[2]) };
};
