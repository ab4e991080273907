/** The program that packages of PocketSphinx install. */
export const pocketsphinxProgram = 'pocketsphinx_batch';

/** Where packages install the English model. */
export const pocketsphinxModelFolders = ['/usr/share', '/usr/local/share', '/opt/homebrew/share'].map(
  (share) => `${share}/pocketsphinx/model/en-us`,
);
