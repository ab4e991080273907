/** For the file chooser only: what a file is, the service tells by its content. */
export const accepted = 'audio/*,.wav,.mp3,.ogg,.oga,.opus,.flac,.m4a,.mp4';

export const fileSizeBytesMax = 500 * 1024 * 1024;
