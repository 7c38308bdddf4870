import { usage } from '../errors/failure.js';

/** A place on an image as it is sent: pixels from the top left corner, and the size of the image. */
export interface ImagePlace { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

/** Reads `--image-at 10,20 --image-size 640x480`. The service needs both. @throws Problem */
export const imagePlace = (at: string | undefined, size: string | undefined): ImagePlace => {
  if (at === undefined || size === undefined) {
    throw usage('--image-at and --image-size must be used together',
      'use, for example, --image-at 10,20 --image-size 640x480');
  }
  const place = /^(\d{1,6}),(\d{1,6})$/.exec(at);
  if (!place) throw usage(`--image-at takes x,y, not ${JSON.stringify(at)}`);
  const extent = /^(\d{1,6})x(\d{1,6})$/i.exec(size);
  if (!extent) throw usage(`--image-size takes WIDTHxHEIGHT, not ${JSON.stringify(size)}`);
  return { x: Number(place[1]), y: Number(place[2]), width: Number(extent[1]), height: Number(extent[2]) };
};
