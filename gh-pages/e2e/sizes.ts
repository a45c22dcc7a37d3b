export const desktop = { width: 1280, height: 900 };
export const phone = { width: 390, height: 844 };
/** A desktop's window of 1280 x 1024 at 400 %. */
export const enlarged = { width: 320, height: 256 };
