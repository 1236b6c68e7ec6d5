/** The packages that are published, with the folders that are packed, in the order of their imports. */
export const publishedPackages: Readonly<Record<string, string>> = {
  '@nuncio/receiver': 'packages/receiver/dist',
  '@nuncio/client': 'packages/client/dist',
  nuncio: 'dist',
}
