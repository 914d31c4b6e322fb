export default {
  add: 'New {what}',
  delete: 'Delete {name}?',
  deleteText: 'It is gone for good.',
  deleted: '{name} is deleted',
  facts: 'Facts',
  none: 'No {what} yet',
  noneText: 'What is created here or through the API shows up by itself.',
};
