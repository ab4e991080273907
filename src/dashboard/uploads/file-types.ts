/** Only for the file chooser: the service detects the type from the content. */
export const accepted = 'audio/*,.wav,.mp3,.ogg,.oga,.opus,.flac,.m4a,.mp4';

export const fileSizeBytesMax = 500 * 1024 * 1024;
