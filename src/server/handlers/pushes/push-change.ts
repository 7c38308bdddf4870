/** What a push brings. It needs `diff` or `files`. */
export interface PushedContent {
  /** Default: that of the last version; a random one with `base_files`. */
  readonly base_sha?: string;
  /** Default: that of the last version if the base stays, else the base. */
  readonly start_sha?: string;
  /** Default: random. */
  readonly head_sha?: string;
  /** From the base to the head, as `git diff` prints it. */
  readonly diff?: string;
  /**
   * The texts of the changed files in the new head, by path, from which the diff is computed; null deletes a file. The
   * world must contain the files of the project.
   */
  readonly files?: Readonly<Record<string, string | null>>;
  /** Like `files`, for a base that changed. */
  readonly base_files?: Readonly<Record<string, string | null>>;
  /** The title of its commit. */
  readonly title?: string;
}

/** A push to the branch of a merge request. */
export interface PushChange extends PushedContent {
  /** Its id or full path. */
  readonly project: number | string;
  /** Its number in the project. */
  readonly merge_request: number;
}
