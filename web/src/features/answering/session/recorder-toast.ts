/** The id of the recorder's toast: a new message replaces the previous one. */
export const recorderToast = 'recorder';
