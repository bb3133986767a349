/** `host`, `host:port` or `user@host`, and a path that names something. */
const withScheme = /^(?:ssh|git|https?):\/\/(?:[^\s/@]+@)?[\w.-]+(?::\d+)?\/[^\s?#]*[^\s/?#]+\/?$/i
/** `git@host:org/repo.git`, the syntax of ssh and scp. With a slash before the colon it would be a path. */
const scpStyle = /^(?:[\w.-]+@)[\w.-]+:(?!\/\/)[^\s?#]+$/

/** Whether this is the URL of a git repository, in any form that git can clone over a network. */
export const isGitUrl = (text: string): boolean => withScheme.test(text) || scpStyle.test(text)
