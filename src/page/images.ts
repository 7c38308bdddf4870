/** The types of images that browsers draw. */
export const shownTypes = /^image\/(?:png|apng|jpeg|gif|webp|avif|bmp|svg\+xml|x-icon|vnd\.microsoft\.icon)$/;
