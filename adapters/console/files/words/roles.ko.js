// The roles that every shop has.
export default {
  accountant: '회계 담당',
  marketer: '마케팅 담당',
  packer: '출고 담당',
  'platform-admin': '플랫폼 관리자',
  support: '상담 담당',
  'tenant-admin': '쇼핑몰 관리자',
  'tenant-editor': '편집자',
  'tenant-viewer': '조회 전용',
};
