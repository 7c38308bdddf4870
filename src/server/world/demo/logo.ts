import type { WorldImage } from '../shape.js';

/** Two speech bubbles, 32 by 32 pixels. */
export const logo: WorldImage = {
  file_name: 'logo.png',
  media_type: 'image/png',
  content: 'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAMAAABEpIrGAAAACVBMVEX///8fb4vypUHJAFahAAAAA3RSTlMA//9EUNYhAAAAWUlE'
    + 'QVR42t3TQQrAIAxE0R/vf+girQsj8XchXXRAN/NACQS+SaRYn0WEiN8BmyO0KRnkfhFLn0UNHmLg/kK/x5kBAoDtEwjgHcD6YtQU'
    + 'brsIClCAAtqpvb0AOygCifZVvskAAAAASUVORK5CYII=',
};
