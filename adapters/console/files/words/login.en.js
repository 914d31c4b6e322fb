export default {
  back: 'Back',
  code: 'Code',
  codeHelp: 'Six digits of your authenticator app, or a recovery code.',
  email: 'Email',
  enter: 'Sign in',
  forgot: 'Forgot your password?',
  or: 'or',
  passkey: 'Sign in with a passkey',
  password: 'Password',
  second: 'One more proof',
  title: 'Sign in',
};
