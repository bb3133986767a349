/** `host`, `host:port` or `user@host`, and a path that names something. */
const withScheme = /^(?:ssh|git|https?):\/\/(?:[^\s/@]+@)?[\w.-]+(?::\d+)?\/[^\s?#]*[^\s/?#]+\/?$/i
/** `git@host:org/repo.git`, as ssh and scp spell it. A slash before the colon would make it a path. */
const scpStyle = /^(?:[\w.-]+@)[\w.-]+:(?!\/\/)[^\s?#]+$/

/** The address of a git repository, in any of the forms that git clones from over a network. */
export const isGitUrl = (text: string): boolean => withScheme.test(text) || scpStyle.test(text)
