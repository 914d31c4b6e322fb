Feature: Files of a shop
  Pictures, films and documents are kept with the shop's records and shown in its pages.

  Background:
    Given a shop

  Rule: What is uploaded is shown as what it is

    @spec-4.2-media
    Scenario: A picture is uploaded with a description
      When the editor uploads a picture of 30 by 20 pixels as "cup.png", described as "A cup"
      Then the file "cup.png" is known as a picture of 30 by 20 pixels, described as "A cup"
      And a browser shows the picture without any key

    @spec-4.2-media
    Scenario: A picture is taken for a picture whatever it is called
      When the editor uploads a picture of 3 by 2 pixels as "cup.html", described as "A cup"
      Then the file "cup.png" is known as a picture of 3 by 2 pixels, described as "A cup"

    @spec-4.2-media
    Scenario: A web page is no picture, whatever it is called
      When the editor uploads a web page as "cup.png"
      Then the request is refused because "file_type_not_supported"
      And the shop has 0 files

    @spec-4.2-media
    Scenario: An upload needs a file
      When the editor uploads nothing but a description
      Then the request is refused because "file_missing"

    @spec-4.2-media
    Scenario: A drawing cannot act in a visitor's browser
      When the editor uploads a drawing with a program inside
      Then a browser that opens the drawing saves it instead of running it

  Rule: A file can be replaced and deleted

    @spec-4.2-media
    Scenario: A picture is replaced
      Given the editor uploads a picture of 30 by 20 pixels as "cup.png", described as "A cup"
      When the editor replaces it with a picture of 6 by 4 pixels
      Then the file "cup.png" is known as a picture of 6 by 4 pixels, described as "A cup"
      And a browser shows the picture without any key

    @spec-4.2-media
    Scenario: A deleted picture is gone from every page
      Given the editor uploads a picture of 30 by 20 pixels as "cup.png", described as "A cup"
      When the editor deletes the file
      Then a browser finds nothing where the picture was

  Rule: Everyone looks at a shop's files, and nobody but its editors changes them

    @spec-4.2-media @spec-5-keys
    Scenario: A visitor cannot upload
      When a visitor uploads a picture
      Then the request is refused because "forbidden"

    @spec-4.2-media
    Scenario: Another shop cannot replace a file
      Given the editor uploads a picture of 30 by 20 pixels as "cup.png", described as "A cup"
      When another shop replaces it with a picture of its own
      Then the request is refused because "not_found"
      And a browser shows the picture without any key

    @spec-4.2-media
    Scenario: The same upload sent twice is one file
      When the editor uploads the same picture twice under one key
      Then the shop has 1 file
