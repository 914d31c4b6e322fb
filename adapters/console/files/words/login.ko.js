export default {
  back: '뒤로',
  code: '인증 코드',
  codeHelp: '인증 앱의 6자리 숫자 또는 복구 코드를 입력하세요.',
  email: '이메일',
  enter: '로그인',
  forgot: '비밀번호를 잊으셨나요?',
  or: '또는',
  passkey: '패스키로 로그인',
  password: '비밀번호',
  second: '추가 인증',
  title: '로그인',
};
