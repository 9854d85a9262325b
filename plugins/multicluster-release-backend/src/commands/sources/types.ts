/** Where a document was read. Only the catalog's own annotations make `file` ones. */
export interface SourceLocation {
  type: 'url' | 'file';
  /** An absolute URL, or an absolute path. */
  target: string;
}

export interface SourceFile {
  /** For messages: URL or path, relative to the folder that was read. */
  path: string;
  text: string;
}

export interface SourceText {
  text: string;
  /** What identifies this state of it, for example a commit or an ETag. */
  revision?: string;
}

export interface SourceFiles {
  /** In the order of their paths. */
  files: SourceFile[];
  revision?: string;
}

/**
 * Reads documents and manifests from where they live.
 *
 * @throws SourceUnreadableError that names the location and what to do
 */
export interface SourceReader {
  readText(location: SourceLocation): Promise<SourceText>;
  /** A file, or every YAML and JSON file of a folder. */
  readFiles(location: SourceLocation): Promise<SourceFiles>;
}
