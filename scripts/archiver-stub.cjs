// Replaces `archiver` in the bundle: cdktf loads it for assets, which a castellan.yaml cannot declare.
module.exports = () => {
  throw new Error('the command line writes no archives');
};
