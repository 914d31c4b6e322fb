Feature: Media files
  Images, videos and documents of a shop are uploaded and served.

  Background:
    Given a shop

  Rule: The type of a file is detected from its content

    @media-1 @media-2
    Scenario: An image is uploaded with a description
      When the editor uploads an image of 30 by 20 pixels as "cup.png" with the description "A cup"
      Then the file "cup.png" is an image of 30 by 20 pixels with the description "A cup"
      And a browser loads the image without a key

    @media-1
    Scenario: An image is detected whatever its name
      When the editor uploads an image of 3 by 2 pixels as "cup.html" with the description "A cup"
      Then the file "cup.png" is an image of 3 by 2 pixels with the description "A cup"

    @media-1
    Scenario: A web page is refused whatever its name
      When the editor uploads a web page as "cup.png"
      Then the request is refused because "file_type_not_supported"
      And the shop has 0 files

    @media-1
    Scenario: An upload needs a file
      When the editor uploads a description without a file
      Then the request is refused because "file_missing"

    @media-3
    Scenario: A script in an SVG image cannot run in a browser
      When the editor uploads an SVG image that contains a script
      Then a browser downloads the image instead of showing it

  Rule: A file can be replaced and deleted

    @media-4
    Scenario: An image is replaced
      Given the editor uploads an image of 30 by 20 pixels as "cup.png" with the description "A cup"
      When the editor replaces it with an image of 6 by 4 pixels
      Then the file "cup.png" is an image of 6 by 4 pixels with the description "A cup"
      And a browser loads the image without a key

    @media-4
    Scenario: A deleted image is no longer served
      Given the editor uploads an image of 30 by 20 pixels as "cup.png" with the description "A cup"
      When the editor deletes the file
      Then a browser no longer finds the image

  Rule: Everyone can read a shop's files, only its editors can change them

    @media-5 @access-14
    Scenario: A visitor cannot upload
      When a visitor uploads an image
      Then the request is refused because "forbidden"

    @media-5
    Scenario: Another shop cannot replace a file
      Given the editor uploads an image of 30 by 20 pixels as "cup.png" with the description "A cup"
      When another shop tries to replace it
      Then the request is refused because "not_found"
      And a browser loads the image without a key

    @media-6
    Scenario: The same upload sent twice creates one file
      When the editor uploads the same image twice with one idempotency key
      Then the shop has 1 file
