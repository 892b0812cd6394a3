/** The recorder has one toast at a time: what it does now takes the place of what it did before. */
export const recorderToast = 'recorder';
