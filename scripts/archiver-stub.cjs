// In the place of `archiver`, which cdktf loads for assets: a castellan.yaml declares none.
module.exports = () => {
  throw new Error('the command line writes no archives');
};
